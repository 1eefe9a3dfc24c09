import { exportAddress, type JobList, jobsAddress } from "~/domain/addresses";
import { COLUMN_NAMES, COLUMNS, type Column, columnsOf, columnsText, DEFAULT_COLUMNS } from "~/domain/query/columns";
import { Menu, MenuLink } from "../ui/menu";

const SORTS = [
  { label: "Newest submitted", sort: undefined, order: undefined },
  { label: "Oldest submitted", sort: undefined, order: "oldest" },
  { label: "Newest ended", sort: "finished", order: undefined },
  { label: "Oldest ended", sort: "finished", order: "oldest" },
] as const;

/** How a list looks, and how to take it along. All of it is in the address, so these are links. */
export function ListMenus({ list }: { list: JobList }) {
  const columns = columnsOf(list.columns ?? null) ?? DEFAULT_COLUMNS;
  return (
    <div className="flex gap-2">
      <Menu label="Sort">
        {SORTS.map(({ label, sort, order }) => (
          <MenuLink
            key={label}
            to={jobsAddress({ ...list, sort, order, cursor: undefined })}
            on={list.sort === sort && list.order === order}
          >
            {label}
          </MenuLink>
        ))}
      </Menu>
      <Menu label="Columns">
        {COLUMN_NAMES.map((name) => (
          <MenuLink
            key={name}
            to={jobsAddress({ ...list, columns: turned(columns, name) })}
            on={columns.includes(name)}
          >
            {COLUMNS[name]}
          </MenuLink>
        ))}
      </Menu>
      <Menu label="Export">
        {(["csv", "ndjson"] as const).map((format) => (
          <MenuLink key={format} to={exportAddress(list, format)} file>
            These jobs as {format.toUpperCase()}
          </MenuLink>
        ))}
      </Menu>
    </div>
  );
}

/** Without what is shown, with what is not. As they go without saying: nothing. */
function turned(columns: Column[], name: Column): string | undefined {
  const next = COLUMN_NAMES.filter((one) => columns.includes(one) !== (one === name));
  return next.join() === DEFAULT_COLUMNS.join() ? undefined : columnsText(next);
}
