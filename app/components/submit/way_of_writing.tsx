/** Form or JSON: what stands in the one goes over into the other. Buttons of the form itself, so no script is needed. */
export const WayOfWriting = ({ as }: { as: "form" | "json" }) => (
  <fieldset className="flex w-fit rounded-lg bg-kumo-recessed p-0.5">
    <legend className="sr-only">Write the payload as</legend>
    {(["form", "json"] as const).map((one) => (
      <button
        key={one}
        type="submit"
        name="to"
        value={one}
        formNoValidate
        aria-pressed={as === one}
        className="h-7 cursor-pointer rounded-md px-3 text-sm text-kumo-subtle aria-pressed:bg-kumo-base aria-pressed:font-medium aria-pressed:text-kumo-default aria-pressed:shadow-xs"
      >
        {one === "form" ? "Form" : "JSON"}
      </button>
    ))}
  </fieldset>
);
