import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// Comes into the server's process by `--import`: asked to, it lets go of what nobody holds any more.
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
process.on("SIGUSR2", () => collect());
