import type { MailPage } from "~/domain/mail/mail";
import { fetchFeed } from "./feed";
import type { FeedOptions } from "./use_feed";

export const mailFeed = (before: number | null): FeedOptions<MailPage> => ({
  key: ["mail", before],
  fetch: (previous, signal) => fetchFeed(`/api/v1/mail${before ? `?before=${before}` : ""}`, previous, signal),
  isFinal: () => false,
});
