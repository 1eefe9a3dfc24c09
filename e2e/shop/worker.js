/** Another Worker of the same account: calls what it is told, by the binding that it is told. */
export default {
  async fetch(request, env) {
    const { by, call, args } = await request.json();
    return Response.json(await env[by][call](...args));
  },
};
