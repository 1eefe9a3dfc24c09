/** Another Worker of the account, bound to ours as BILLING: keeps what it was asked, and answers as its paths say. */
const asked = [];

export default {
  async fetch(request) {
    const { pathname, hostname } = new URL(request.url);
    if (pathname === "/asked") return Response.json(asked);
    const headers = Object.fromEntries(request.headers);
    asked.push({ method: request.method, hostname, pathname, headers, body: await request.text() });
    const nth = asked.filter((one) => one.pathname === pathname).length;
    if (pathname === "/down-once" && nth === 1) return new Response("busy", { status: 500 });
    if (pathname === "/throws-once" && nth === 1) throw new Error("an error of the other Worker");
    if (pathname === "/hangs-once" && nth === 1) await scheduler.wait(20_000);
    if (pathname === "/moved") return Response.redirect("https://service.internal/elsewhere", 302);
    if (pathname === "/gone") return new Response("no more", { status: 410 });
    return new Response("thanks");
  },
};
