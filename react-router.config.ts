import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // All routes are named in the first answer. Asked for later, they would be missing just when the server is down or the
  // session has ended, and a link would lead to "not found" instead of the page that says so.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
