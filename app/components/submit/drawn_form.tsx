import type { ReactNode } from "react";
import { countOf } from "~/domain/form/draft";
import { DRAWN } from "~/domain/form/sent";
import type { Spec } from "~/domain/form/spec";
import { Button } from "../ui/button";
import { Field, INPUT } from "../ui/field";
import { type Drawn, Leaf, type PartProps } from "./drawn_leaf";

/** A field for each part of the payload. Buttons that change how many there are send the form: no script is needed. */
export function DrawnForm({ spec, ...drawn }: Drawn & { spec: Spec }) {
  return <Part spec={spec} at="" label="Payload" {...drawn} />;
}

function Part(props: PartProps) {
  const { spec, at, label, ...drawn } = props;
  if (spec.draws === "object") {
    return (
      <Group {...props} bare={at === ""}>
        {(spec.fields ?? []).map(([name, field]) => (
          <div key={name} className={SHORT.has(field.draws) ? "" : "sm:col-span-2"}>
            <Part spec={field} at={at === "" ? name : `${at}.${name}`} label={name} {...drawn} />
          </div>
        ))}
      </Group>
    );
  }
  if (spec.draws === "list" || spec.draws === "map") return <Items {...props} />;
  return <Leaf {...props} />;
}

/** Two of them have room side by side. */
const SHORT: ReadonlySet<Spec["draws"]> = new Set(["number", "choice", "yes-no", "date", "time"]);

function Items(props: PartProps) {
  const { spec, at, label, ...drawn } = props;
  const n = countOf(drawn.draft, at);
  return (
    <Group {...props}>
      <input type="hidden" name={`${DRAWN}${at}.#`} value={n} />
      {Array.from({ length: n }, (_, index) => {
        const path = `${at}.${index}`;
        const what = `${label} ${index + 1}`;
        return (
          <div key={path} className="flex items-start gap-2">
            <div className="min-w-0 flex-1">
              {spec.item ? (
                <Part spec={spec.item} at={path} label={what} {...drawn} />
              ) : (
                <Pair path={path} what={what} {...drawn} />
              )}
            </div>
            <Button
              type="submit"
              size="sm"
              variant="ghost"
              name="to"
              value={`remove ${path}`}
              formNoValidate
              className={spec.item?.draws === "object" ? "" : "mt-6.5"}
            >
              Remove<span className="sr-only"> {what}</span>
            </Button>
          </div>
        );
      })}
      <div>
        <Button type="submit" size="sm" name="to" value={`add ${at}`} formNoValidate>
          Add<span className="sr-only"> to {label}</span>
        </Button>
      </div>
    </Group>
  );
}

const Pair = ({ path, what, draft }: { path: string; what: string } & Drawn) => (
  <div className="grid gap-2 sm:grid-cols-2">
    {["name", "value"].map((part) => (
      <Field key={part} id={`${DRAWN}${path}.${part}`} label={`${what}, ${part}`}>
        {(ids) => (
          <input
            {...ids}
            name={`${DRAWN}${path}.${part}`}
            defaultValue={draft[`${path}.${part}`] ?? ""}
            spellCheck={false}
            autoComplete="off"
            className={`${INPUT} font-mono text-sm`}
          />
        )}
      </Field>
    ))}
  </div>
);

function Group({
  spec,
  at,
  label,
  errorsAt,
  bare = false,
  children,
}: PartProps & { bare?: boolean; children: ReactNode }) {
  const errors = errorsAt(at, spec.draws === "map");
  const grid = spec.draws === "object" ? "grid gap-4 sm:grid-cols-2" : "flex flex-col gap-3";
  if (bare) return <div className={grid}>{children}</div>;
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 border-l-2 border-kumo-line pl-4">
      <legend className="float-left -ml-px pb-1 text-base font-medium">
        {label} {!spec.required && <span className="font-normal text-kumo-subtle">(optional)</span>}
      </legend>
      {spec.hint && <p className="text-sm text-kumo-subtle">{spec.hint}</p>}
      {errors.map((error) => (
        <p key={error} className="text-sm text-kumo-danger wrap-anywhere">
          {error}
        </p>
      ))}
      <div className={grid}>{children}</div>
    </fieldset>
  );
}
