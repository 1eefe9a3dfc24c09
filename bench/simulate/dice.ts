/** Randomness of one seed: the same seed throws the same numbers, whatever the machine does. */
export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
    for (let i = 0; i < 4; i++) this.next();
  }

  /** In [0, 1). */
  next = (): number => {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };

  /** A whole number, both ends included. */
  int = (from: number, to: number): number => from + Math.floor(this.next() * (to - from + 1));

  chance = (share: number): boolean => this.next() < share;

  pick = <T>(from: readonly T[]): T => from[Math.floor(this.next() * from.length)] as T;

  /** One of them, each as often as its weight says. */
  weighted<T extends string>(weights: Partial<Record<T, number>>): T {
    const entries = Object.entries(weights) as [T, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return (entries.at(-1) as [T, number])[0];
  }

  fill = (bytes: Uint8Array): Uint8Array => bytes.map(() => this.int(0, 255));
}
