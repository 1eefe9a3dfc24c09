import type { RuleRow } from "~/domain/alerts/feeds";
import { reminderText, ruleAddress, ruleText } from "~/domain/alerts/words";
import { CHANNEL_LABELS } from "~/domain/channels";
import { plural } from "~/domain/format";
import { PostForm } from "../post_form";
import { Allowed } from "../rights";
import { Button } from "../ui/button";
import { Table, Td, Th, Tr } from "../ui/table";
import { TextLink } from "../ui/text_link";

/** Rules as rows: what each asks, who is told, and whether it is true now. `forms`: name tests, so that pressing twice sends one. */
export const RulesTable = ({ rules, forms }: { rules: RuleRow[]; forms: Record<string, string> }) => (
  <Table label="Rules">
    <thead className="hidden sm:table-header-group">
      <tr>
        <Th>Rule</Th>
        <Th className="hidden w-1/4 md:table-cell">Tells</Th>
        <Th className="w-32">Now</Th>
        <Th className="w-28">
          <span className="sr-only">Actions</span>
        </Th>
      </tr>
    </thead>
    <tbody>
      {rules.map((rule) => (
        <Tr key={rule.id} data-rule={rule.id}>
          <Td className="max-w-0">
            <TextLink to={ruleAddress(rule.id)} className="font-medium wrap-anywhere">
              {rule.name}
            </TextLink>
            <span className="block text-sm text-kumo-subtle">
              {ruleText(rule)}, {reminderText(rule)}
            </span>
            <div className="mt-1 text-sm md:hidden">
              <Tells rule={rule} />
              <span className="block sm:hidden">
                <Now rule={rule} />
              </span>
            </div>
          </Td>
          <Td className="hidden w-1/4 max-w-0 wrap-anywhere md:table-cell">
            <Tells rule={rule} />
          </Td>
          <Td className="hidden w-32 sm:table-cell">
            <Now rule={rule} />
          </Td>
          <Td className="w-1 pl-0! sm:w-28">
            {rule.tells.length > 0 && (
              <Allowed send={`${ruleAddress(rule.id)}/test`}>
                <PostForm action={`${ruleAddress(rule.id)}/test`} className="flex justify-end">
                  <input type="hidden" name="form" value={forms[rule.id] ?? ""} />
                  <Button type="submit" size="sm">
                    Test<span className="sr-only"> {rule.name}</span>
                  </Button>
                </PostForm>
              </Allowed>
            )}
          </Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);

const Tells = ({ rule: { tells } }: { rule: RuleRow }) =>
  tells.length === 0 ? (
    <span className="text-kumo-warning">nobody: add a channel</span>
  ) : (
    tells.map(({ type, target }) => (
      <span key={type} className="block wrap-anywhere">
        {CHANNEL_LABELS[type]} <span className="text-sm text-kumo-subtle">{target}</span>
      </span>
    ))
  );

const Now = ({ rule: { disabledAt, open } }: { rule: RuleRow }) => {
  if (disabledAt) return <span className="text-kumo-subtle">Off</span>;
  if (open > 0) return <span className="font-medium text-kumo-danger">{plural(open, "alert")}</span>;
  return <span className="text-kumo-success">Quiet</span>;
};
