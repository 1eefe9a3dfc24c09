/** A call that a newcomer can paste, with the address that this page came from. */
export const curlOf = (
  request: Request,
  local: boolean,
  body = '{"kind": "demo", "payload": {"failTimes": 2}}',
): string => curlFor(new URL(request.url).origin, local, body);

export function curlFor(origin: string, local: boolean, body: string, path = "/jobs"): string {
  const lines = [
    `curl ${origin}/api/v1${path}`,
    ...(local ? [] : [`-H "Authorization: Bearer $ADMIN_TOKEN"`]),
    `-H "Content-Type: application/json"`,
    `-d '${body.replaceAll("'", `'\\''`)}'`,
  ];
  return lines.join(" \\\n  ");
}
