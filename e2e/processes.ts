import { execFileSync } from "node:child_process";

export type Running = { pid: number; parent: number; group: number; residentBytes: number; name: string };

/** All processes of this machine, and what each holds in memory now. */
export function processes(): Running[] {
  const columns = ["pid=", "ppid=", "pgid=", "rss=", "comm="].flatMap((column) => ["-o", column]);
  return execFileSync("ps", ["-A", ...columns], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => {
      const [pid, parent, group, kilobytes, ...name] = line.trim().split(/\s+/);
      return {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        residentBytes: 1_024 * Number(kilobytes),
        name: name.join(" "),
      };
    });
}

/** The local runtime: Worker, D1 and queues. */
export const isRuntime = ({ name }: Running): boolean => name.endsWith("workerd");
