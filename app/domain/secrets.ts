import { endOfKnown } from "./end_of_known";
import { type Fits, fitsOf } from "./glob";
import { canonicalJson, endOfString } from "./json";
import type { KindLimits } from "./kind_limits";
import type { Problem } from "./submission";

/** Stands where a secret is not shown. */
export const MASK = "••••••••";

/**
 * What a kind says of its secrets. `secrets`: names of the input joined by dots, in any case, `*` for any part of a name, and
 * after `=` the host that the value must be an address of: `headers.*token*`, `endpoints.*.url=hooks.slack.com`. `secretsGoTo`:
 * the fields that say who gets them.
 */
export type SecretRules = { secrets?: readonly string[]; secretsGoTo?: readonly string[] };
/** The kinds that this release knows, as far as reads must know them. */
export type KnownKinds = ReadonlyMap<string, SecretRules & { limits?: KindLimits }>;

/**
 * Turns text that came of a job into text without the job's secrets. `goesOn`: it was cut before, so what could be the beginning
 * of a secret at its end is left out.
 */
export type Hide = (text: string, goesOn?: boolean) => string;

type Span = { start: number; end: number; path: string };

/**
 * A payload's text with its secrets masked; all else keeps its very characters. Of a kind that is not known, nobody knows what
 * is secret: then every value is masked.
 */
export function maskedJson(text: string, rules: SecretRules | undefined): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of spansOf(text, rules)) {
    parts.push(text.slice(at, start), JSON.stringify(MASK));
    at = end;
  }
  return parts.join("") + text.slice(at);
}

/** Finds a payload's secrets, and long words of them, in other text: as they are, and as JSON or an address would spell them. */
export function hiderOf(payload: string, rules: SecretRules | undefined): Hide {
  if (!rules?.secrets?.length) return (text) => text;
  return hiderOfValues(spansOf(payload, rules).map(({ start, end }) => JSON.parse(payload.slice(start, end))));
}

/** The same for secrets that are in no payload. */
export function hiderOfValues(secrets: unknown[]): Hide {
  const found = secrets.flatMap(wordsIn);
  const spelled = new Set(found.flatMap((word) => [word, escaped(word), escaped(escaped(word)), addressed(word)]));
  const longestFirst = [...spelled].sort((a, b) => b.length - a.length);
  return (text, goesOn = false) => {
    const whole = goesOn ? text.slice(0, endOfKnown(text, longestFirst)) : text;
    return longestFirst.reduce((rest, word) => rest.replaceAll(word, MASK), whole);
  };
}

/** Where a payload has the mask itself in place of a secret. */
export const masksIn = (text: string, rules: SecretRules): Problem[] =>
  maskedSpans(text, rules).map(({ path }) => ({ path, message: "is hidden here: give the secret itself" }));

/**
 * Puts the secrets of `stored` in where `text` has their masks. Only at the same path, and only while everything that says who
 * gets them is as it was, which is the whole payload unless the kind names it: nobody is sent a secret by whoever may not see it.
 */
export function withSecretsOf(stored: string, text: string, rules: SecretRules): string | Problem[] {
  const wanted = maskedSpans(text, rules);
  if (wanted.length === 0) return text;
  const kept = new Map(spansOf(stored, rules).map(({ start, end, path }) => [path, stored.slice(start, end)]));
  const moved = whatMoved(stored, text, rules);
  const problems = wanted.flatMap(({ path }) => {
    if (!kept.has(path)) return [{ path, message: "is hidden here, and no secret stood there before: give it anew" }];
    return moved ? [{ path, message: `is kept only while ${moved} as it was: give it anew` }] : [];
  });
  if (problems.length > 0) return problems;
  let at = 0;
  const parts = wanted.flatMap(({ start, end, path }) => {
    const part = [text.slice(at, start), kept.get(path) as string];
    at = end;
    return part;
  });
  return parts.join("") + text.slice(at);
}

function maskedSpans(text: string, rules: SecretRules): Span[] {
  const named = { secrets: rules.secrets?.map((rule) => rule.split("=", 1)[0] as string) ?? [] };
  return spansOf(text, named).filter(({ start, end }) => JSON.parse(text.slice(start, end)) === MASK);
}

function whatMoved(stored: string, text: string, rules: SecretRules): string | null {
  const masked = (one: string) => canonicalJson(maskedJson(one, rules));
  if (!rules.secretsGoTo) return masked(stored) === masked(text) ? null : "everything else is";
  const [before, after] = [JSON.parse(stored), JSON.parse(text)] as Record<string, unknown>[];
  const moved = rules.secretsGoTo.find((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]));
  return moved === undefined ? null : `${moved} is`;
}

const SHORTEST = 4;
const SHORTEST_WORD = 8;
/** Each word is one more pass over whatever is shown. */
const WORDS = 20;

/** Shorter ones would hide half of any text. */
function wordsIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(wordsIn);
  const text = String(value);
  if (text.length < SHORTEST || value === MASK) return [];
  const words = text.split(/\s+/).filter((word) => word.length >= SHORTEST_WORD);
  return [text, ...words.slice(0, WORDS)];
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
const addressed = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : text);

/** `names`: what each name on the way there is like. `host`: only addresses of it are secret; null: every value is. */
type Rule = { names: Fits[]; host: string | null };

/** Where the values of a JSON text stand that the rules call secret, in order. Null is none. */
function spansOf(text: string, rules: SecretRules | undefined): Span[] {
  const spans: Span[] = [];
  const all = rules === undefined;
  if (!all && !rules.secrets?.length) return spans;
  valueAt(0, [], rules?.secrets?.map(ruleOf) ?? []);
  return spans;

  /** Looks at the value that begins at or after `from`; answers where it ends. `live`: rules that fit its path so far. */
  function valueAt(from: number, path: string[], live: Rule[]): number {
    const start = afterSpace(text, from);
    const open = text[start];
    const ours = live.filter(({ names }) => names.length === path.length);
    if (open !== "{" && open !== "[") {
      const end = endOfScalar(text, start);
      const value = text.slice(start, end);
      if (value !== "null" && (all || ours.some((rule) => fits(rule, value)))) note(start, end);
      return end;
    }
    const whole = ours.some(({ host }) => host === null);
    const deeper = whole ? [] : live.filter(({ names }) => names.length > path.length);
    let at = afterSpace(text, start + 1);
    for (let n = 0; text[at] !== "}" && text[at] !== "]"; n++) {
      let name = String(n);
      if (open === "{") {
        const end = endOfString(text, at) + 1;
        name = JSON.parse(text.slice(at, end));
        at = afterSpace(text, end) + 1;
      }
      at = valueAt(at, [...path, name], all ? live : deeper.filter(({ names }) => names[path.length]?.(name)));
      at = afterSpace(text, at);
      if (text[at] === ",") at = afterSpace(text, at + 1);
    }
    if (whole) note(start, at + 1);
    return at + 1;

    function note(begin: number, end: number) {
      spans.push({ start: begin, end, path: path.join(".") });
    }
  }
}

function ruleOf(rule: string): Rule {
  const [path, host] = rule.split("=") as [string, string?];
  return { names: path.split(".").map(fitsOf), host: host ?? null };
}

const fits = ({ host }: Rule, text: string): boolean =>
  host === null || (text.startsWith('"') && hostOf(JSON.parse(text)) === host);

/** As whoever calls the address reads it: spaces, ports, backslashes and a last point lead to the same host. */
const hostOf = (address: string): string | null =>
  URL.canParse(address) ? new URL(address).hostname.replace(/\.$/, "") : null;

function afterSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}

function endOfScalar(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start) + 1;
  let at = start;
  while (at < text.length && !/[\s,\]}]/.test(text[at] as string)) at++;
  return at;
}
