import { type PersonRow, removeAddress } from "~/domain/people/people";
import { rightsText } from "~/domain/people/roles";
import { PostForm } from "../post_form";
import { Time } from "../time/time";
import { Button } from "../ui/button";
import { Table, Td, Th, Tr } from "../ui/table";

/** Who is listed, and what they may do. */
export const PeopleTable = ({ people }: { people: PersonRow[] }) => (
  <Table label="People">
    <thead className="hidden md:table-header-group">
      <tr>
        <Th>Person</Th>
        <Th className="w-60">May</Th>
        <Th className="w-60">Said</Th>
        <Th className="w-28">
          <span className="sr-only">Remove</span>
        </Th>
      </tr>
    </thead>
    <tbody>
      {people.map((person) => (
        <Tr key={person.name}>
          <Td className="max-w-0">
            <span className="block truncate font-medium" title={person.name}>
              {person.name}
            </span>
            <span className="text-sm text-kumo-subtle md:hidden">{rightsText(person)}</span>
          </Td>
          <Td className="hidden w-60 md:table-cell">{rightsText(person)}</Td>
          <Td className="hidden w-60 text-sm wrap-anywhere text-kumo-subtle md:table-cell">
            <Time at={person.updatedAt} /> by {person.updatedBy}
          </Td>
          <Td className="w-28">
            <PostForm action={removeAddress(person.name)} className="flex justify-end">
              <Button type="submit" size="row">
                Remove<span className="sr-only"> {person.name}</span>
              </Button>
            </PostForm>
          </Td>
        </Tr>
      ))}
    </tbody>
  </Table>
);
