/** What the values of a column have in common. `empty`: it has none. JSON has types of its own. */
export type ColumnType = "integer" | "number" | "boolean" | "date" | "datetime" | "text" | "empty" | JsonType;
type JsonType = "object" | "array" | "mixed";

const INTEGER = 1;
const DECIMAL = 2;
const BOOLEAN = 4;
const DATE = 8;
const DATETIME = 16;
const TEXT = 32;
const OBJECT = 64;
const ARRAY = 128;

/** A zero in front is part of a name, such as a post code: as a number it would be lost. */
const NUMBER = /^-?(?:0|[1-9]\d*)(\.\d+)?(?:[eE][+-]?\d+)?$/;
const TRUTH = /^(?:true|false)$/i;
const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])/;
const TIME = /^.{10}[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;

/** One column: its values pass by once, and what is kept of them is a number or two. */
export class Column {
  readonly name: string;
  filled = 0;
  private seen = 0;
  private readonly json: boolean;

  /** `json`: its format tells types apart, so a mixture is one; in a text format the common type of all is text. */
  constructor(name: string, json = false) {
    this.name = name;
    this.json = json;
  }

  /** A value of a text format: everything is text there, so it is looked at. */
  seeText(value: string): void {
    if (value === "") return;
    this.filled++;
    // Nothing that comes can change it any more, and looking costs the most.
    if (this.seen & TEXT) return;
    this.seen |= kindOfText(value);
  }

  /** A value of JSON. */
  seeJson(value: unknown): void {
    if (value === null) return;
    this.filled++;
    if (typeof value === "number") this.seen |= Number.isInteger(value) ? INTEGER : DECIMAL;
    else if (typeof value === "boolean") this.seen |= BOOLEAN;
    else if (typeof value === "string") this.seen |= TEXT;
    else this.seen |= Array.isArray(value) ? ARRAY : OBJECT;
  }

  get type(): ColumnType {
    switch (this.seen) {
      case 0:
        return "empty";
      case INTEGER:
        return "integer";
      case DECIMAL:
      case DECIMAL | INTEGER:
        return "number";
      case BOOLEAN:
        return "boolean";
      case DATE:
        return "date";
      case DATETIME:
      case DATETIME | DATE:
        return "datetime";
      case OBJECT:
        return "object";
      case ARRAY:
        return "array";
      case TEXT:
        return "text";
      default:
        return this.json ? "mixed" : "text";
    }
  }
}

function kindOfText(value: string): number {
  const first = value.charCodeAt(0);
  const digit = first >= 48 && first <= 57;
  if (digit || first === 45) {
    const number = NUMBER.exec(value);
    if (number) return number[1] === undefined && !/[eE]/.test(value) ? INTEGER : DECIMAL;
    if (!digit || !DAY.test(value)) return TEXT;
    if (value.length === 10) return DATE;
    return TIME.test(value) ? DATETIME : TEXT;
  }
  return TRUTH.test(value) ? BOOLEAN : TEXT;
}
