import { describe, expect, test } from "vitest";
import { hiderOf, MASK, maskedJson, masksIn, withSecretsOf } from "./secrets";

const rules = { secrets: ["headers.authorization", "headers.*token*", "keys.*.value", "to=chat.example"] };
const M = JSON.stringify(MASK);

describe("a payload's text", () => {
  test("keeps every character but those of its secrets", () => {
    const text = `{ "n":9007199254740993,\n\t"x":1.0, "headers" : {"Accept":"a/b","AUTHORIZATION": "Bearer \\"a\\u0062c\\" {[", "e":1e400 } }`;
    expect(maskedJson(text, rules)).toBe(
      `{ "n":9007199254740993,\n\t"x":1.0, "headers" : {"Accept":"a/b","AUTHORIZATION": ${M}, "e":1e400 } }`,
    );
  });

  test.each([
    [
      "a name in any case, spelled with escapes",
      `{"headers":{"\\u0041uthorization":"x"}}`,
      `{"headers":{"\\u0041uthorization":${M}}}`,
    ],
    [
      "a name given twice",
      `{"headers":{"authorization":"a","authorization":"b"}}`,
      `{"headers":{"authorization":${M},"authorization":${M}}}`,
    ],
    ["a part of a name", `{"headers":{"X-Token-2":"a","X-Tok":"b"}}`, `{"headers":{"X-Token-2":${M},"X-Tok":"b"}}`],
    [
      "items of a list",
      `{"keys":[{"value":1},{"value":[2,{"a":3}]},{"value":null}]}`,
      `{"keys":[{"value":${M}},{"value":${M}},{"value":null}]}`,
    ],
    ...[
      "https://chat.example/x",
      "HTTPS://Chat.Example/x",
      " https://chat.example/x",
      "https://chat.example:443/x",
      "https://chat.example./x",
      "https:chat.example/x",
      "https:\\\\chat.example\\x",
      "https://me@chat.example/x",
    ].map((to) => [`an address of the host, as ${to}`, `{"to":${JSON.stringify(to)}}`, `{"to":${M}}`]),
    ...["https://mail.example/chat.example/", "https://chat.example.mail.example/x", "chat.example"].map((to) => [
      `no other, as ${to}`,
      JSON.stringify({ to }),
      JSON.stringify({ to }),
    ]),
    [
      "nothing deeper, nothing beside",
      `{"a":{"headers":{"authorization":"x"}},"authorization":"y"}`,
      `{"a":{"headers":{"authorization":"x"}},"authorization":"y"}`,
    ],
    ["what is no object", `[["headers"],"authorization"]`, `[["headers"],"authorization"]`],
    ["empty ones", `{"headers":{},"keys":[ ]}`, `{"headers":{},"keys":[ ]}`],
  ])("%s", (_name, text, masked) => {
    expect(maskedJson(text, rules)).toBe(masked);
  });

  test("of an unknown kind shows its names only; of a kind without secrets, all of it", () => {
    const text = `{"a":[1,"b",true,null],"c":{"d":{}}}`;
    expect(maskedJson(text, undefined)).toBe(`{"a":[${M},${M},${M},null],"c":{"d":{}}}`);
    expect(maskedJson(text, {})).toBe(text);
  });

  test("may have a name as long as it is: no part of it is looked for at every place anew", () => {
    const long = { secrets: ["headers.*api*key*", "headers.*a*b*c*d*"] };
    for (const name of ["api".repeat(87_000), "ab".repeat(130_000), "abc".repeat(87_000)]) {
      const text = `{"headers":{"${name}":"${MASK}"}}`;
      expect(masksIn(text, long)).toEqual([]);
      expect(masksIn(text.replace('":"', 'bcd-key":"'), long)).toHaveLength(1);
    }
  });

  test("may be as large as one is", () => {
    const text = `{"json":[${"[1],".repeat(50_000)}0],"headers":{"authorization":"x"}}`;
    expect(maskedJson(text, rules).endsWith(`{"authorization":${M}}}`)).toBe(true);
  });
});

describe("text that came of a job", () => {
  const hide = hiderOf(
    `{"headers":{"authorization":"Bearer s3cr\\"et/42","x-token":"abc","my-token":"${MASK}"}}`,
    rules,
  );

  test.each([
    [`got Bearer s3cr"et/42!`, `got ${MASK}!`],
    [`no such token s3cr"et/42`, `no such token ${MASK}`],
    [JSON.stringify({ body: `s3cr"et/42` }), JSON.stringify({ body: MASK })],
    [
      JSON.stringify({ body: JSON.stringify({ a: `s3cr"et/42` }) }),
      JSON.stringify({ body: JSON.stringify({ a: MASK }) }),
    ],
    ["/?q=s3cr%22et%2F42", `/?q=${MASK}`],
    ["Bearer of abc", "Bearer of abc"],
  ])("%s", (text, hidden) => {
    expect(hide(text)).toBe(hidden);
  });

  test("is searched for the first twenty words of a secret, and for all of it", () => {
    const words = Array.from({ length: 30 }, (_, n) => `word-${n}-of-it`);
    const long = hiderOf(JSON.stringify({ headers: { authorization: words.join(" ") } }), rules);
    expect(long(`a ${words[0]} b ${words[19]} c ${words[25]}`)).toBe(`a ${MASK} b ${MASK} c ${words[25]}`);
    expect(long(`all: ${words.join(" ")}`)).toBe(`all: ${MASK}`);
  });

  describe("and was cut", () => {
    const token = 'tok"en/0123456789';
    const cut = hiderOf(JSON.stringify({ headers: { authorization: `Bearer ${token}` } }), rules);
    const spelled = [token, `Bearer ${token}`, JSON.stringify(token).slice(1, -1), encodeURIComponent(token)];

    test.each(spelled)("keeps no beginning of %s at its end, wherever it was cut", (secret) => {
      const text = `before ${secret}`;
      for (let length = "before ".length; length < text.length; length++) {
        expect([length, cut(text.slice(0, length), true)]).toEqual([length, "before "]);
      }
      expect(cut(text, true)).toBe(`before ${MASK}`);
    });

    test("keeps all else to the last character; what was not cut keeps even what looks like a beginning", () => {
      expect(cut(`before ${token} after`, true)).toBe(`before ${MASK} after`);
      expect(cut("", true)).toBe("");
      expect(cut("before tok", false)).toBe("before tok");
      expect(hiderOf("{}", rules)("before tok", true)).toBe("before tok");
    });

    test("a secret that ends with the beginning of another goes whole", () => {
      const two = hiderOf(`{"headers":{"authorization":"first/abcd","x-token":"abcdefgh"}}`, rules);
      expect(two("x first/abcd", true)).not.toContain("first");
    });

    test("finds the longest of beginnings that repeat themselves", () => {
      const again = hiderOf(`{"headers":{"authorization":"aabaabaaab"}}`, rules);
      expect(again("x aabaabaabaa", true)).toBe("x aab");
    });
  });

  test("is left alone where the kind has no secrets, or is not known", () => {
    expect(hiderOf(`{"a":"letters"}`, undefined)("letters")).toBe("letters");
    expect(hiderOf(`{"a":"letters"}`, {})("letters")).toBe("letters");
  });
});

describe("masks that come back", () => {
  const stored = `{"url":"https://a.example","n":1.0,"headers":{"authorization": "Bearer 9","x-token":"t"}}`;
  const bound = { ...rules, secretsGoTo: ["url"] };

  test("are found, and named by their path", () => {
    expect(masksIn(maskedJson(stored, rules), rules).map(({ path }) => path)).toEqual([
      "headers.authorization",
      "headers.x-token",
    ]);
    expect(masksIn(stored, rules)).toEqual([]);
    expect(masksIn(`{"note":${M}}`, rules)).toEqual([]);
    expect(masksIn(`{"to":${M}}`, rules).map(({ path }) => path)).toEqual(["to"]);
  });

  test("become the stored secrets again where nothing else changed", () => {
    expect(withSecretsOf(stored, maskedJson(stored, rules), rules)).toBe(stored);
  });

  test("do so beside other changes only while whoever gets them stays the same", () => {
    const other = `{"url":"https://a.example","n":2,"headers":{"authorization":${M}}}`;
    expect(withSecretsOf(stored, other, bound)).toBe(
      `{"url":"https://a.example","n":2,"headers":{"authorization":"Bearer 9"}}`,
    );
    expect(withSecretsOf(stored, other, rules)).toMatchObject([{ path: "headers.authorization" }]);
    expect(withSecretsOf(stored, other.replace("a.ex", "b.ex"), bound)).toMatchObject([
      { path: "headers.authorization", message: expect.stringContaining("url") },
    ]);
  });

  test("never bring a secret to another place", () => {
    expect(withSecretsOf(stored, `{"url":"https://a.example","headers":{"y-token":${M}}}`, bound)).toMatchObject([
      { path: "headers.y-token" },
    ]);
    expect(withSecretsOf(stored, `{"url":"https://a.example","note":${M}}`, bound)).toBe(
      `{"url":"https://a.example","note":${M}}`,
    );
  });
});
