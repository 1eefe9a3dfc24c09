import { BOX } from "../ui/field";
import { BULK_FORM } from "./question";

/** What a list of jobs needs to know to be one that jobs are chosen in. */
export type Choosing = {
  isPicked: (id: string) => boolean;
  /** The action on it is under way. */
  isSending: (id: string) => boolean;
  /** `range`: from the one that was ticked before to this one. */
  onPick: (id: string, on: boolean, range: boolean) => void;
};

/** The box of one job. Without a script it is a plain field of the form above the list. */
export const RowBox = ({ id, of, choosing }: { id: string; of: string; choosing: Choosing }) => (
  <label className="tick">
    <input
      type="checkbox"
      form={BULK_FORM}
      name="id"
      value={id}
      className={BOX}
      aria-label={`Select ${of}`}
      checked={choosing.isPicked(id)}
      onChange={(event) => choosing.onPick(id, event.target.checked, (event.nativeEvent as MouseEvent).shiftKey)}
    />
  </label>
);
