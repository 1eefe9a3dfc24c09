import type { ComponentProps } from "react";
import { Form, useNavigation, useSubmit } from "react-router";

type Props = Omit<ComponentProps<typeof Form>, "method"> & {
  /** When a press is not heard. Unless said: while any form that changes something is on its way. */
  busy?: boolean;
};

/** A form that changes something and leads to a page: what is pressed twice is sent once. Works without a script. */
export function PostForm({ busy, onSubmit, ...props }: Props) {
  const sending = useSending();
  const deaf = busy ?? sending;
  const submit = useSubmit();
  return (
    <Form
      {...props}
      method="post"
      aria-busy={deaf || undefined}
      onSubmit={(event) => {
        if (deaf) return event.preventDefault();
        onSubmit?.(event);
        if (event.defaultPrevented) return;
        event.preventDefault();
        const submitter = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
        // Shown at once, where the router would wait until there is time for it: the second of two clicks comes before.
        void submit(submitter ?? event.currentTarget, { flushSync: true });
      }}
    />
  );
}

/** Whether a form that changes something is on its way: from its press until the page shows what came of it. */
export const useSending = (): boolean => useNavigation().formMethod === "POST";
