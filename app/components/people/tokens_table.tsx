import { rightsText } from "~/domain/people/roles";
import { revokeAddress, type TokenRow } from "~/domain/people/tokens";
import { Time } from "../time/time";
import { LinkButton } from "../ui/button";
import { Table, Td, Th, Tr } from "../ui/table";

/** API tokens as rows: what each may do, who made it, when it was last used. The tokens themselves are nowhere. */
export const TokensTable = ({ tokens }: { tokens: TokenRow[] }) => (
  <Table label="API tokens">
    <thead className="hidden md:table-header-group">
      <tr>
        <Th>Token</Th>
        <Th className="w-52">May</Th>
        <Th className="w-40">Made</Th>
        <Th className="w-40">Last used</Th>
        <Th className="w-40">Ends</Th>
        <Th className="w-28">
          <span className="sr-only">Revoke</span>
        </Th>
      </tr>
    </thead>
    <tbody>
      {tokens.map((token) => (
        <Tr key={token.id} data-token={token.id}>
          <Td className="max-w-0">
            <span className="block truncate font-medium" title={token.name}>
              {token.name}
            </span>
            <span className="font-mono text-sm text-kumo-subtle">{token.hint}…</span>
            <div className="mt-1 flex flex-col text-sm text-kumo-subtle md:hidden">
              <span>{rightsText(token)}</span>
              <span>
                made <Made token={token} />
              </span>
              <span>
                last used <Used token={token} />
              </span>
              <span>
                ends <Ends token={token} />
              </span>
            </div>
          </Td>
          <Td className="hidden w-52 md:table-cell">{rightsText(token)}</Td>
          <Td className="hidden w-40 text-sm md:table-cell">
            <Made token={token} />
          </Td>
          <Td className="hidden w-40 text-sm md:table-cell">
            <Used token={token} />
          </Td>
          <Td className="hidden w-40 text-sm md:table-cell">
            <Ends token={token} />
          </Td>
          <Td className="w-28 text-right">
            <LinkButton to={revokeAddress(token.id)} size="row">
              Revoke<span className="sr-only"> {token.name}</span>
            </LinkButton>
          </Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);

const Made = ({ token: { createdAt, createdBy } }: { token: TokenRow }) => (
  <>
    <Time at={createdAt} /> <span className="text-kumo-subtle wrap-anywhere">by {createdBy}</span>
  </>
);

const Used = ({ token: { lastUsedAt } }: { token: TokenRow }) => (lastUsedAt ? <Time at={lastUsedAt} /> : "never");

const Ends = ({ token: { expiresAt, expired } }: { token: TokenRow }) => {
  if (!expiresAt) return "when it is revoked";
  return expired ? <span className="text-kumo-danger">ended</span> : <Time at={expiresAt} />;
};
