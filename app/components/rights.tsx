import { createContext, type ReactNode, useContext, useMemo } from "react";
import { neededFor } from "~/domain/people/needed";
import { covers, LEAST_RIGHTS, type Rights } from "~/domain/people/roles";

/** What whoever looks may do. The door decides; pages only leave out what it would refuse. */
export const RightsContext = createContext<Rights>(LEAST_RIGHTS);
export const useRights = () => useContext(RightsContext);

/** Whether the door would let them send to an address, or open it. */
export function useMay() {
  const rights = useRights();
  return useMemo(() => {
    const may = (method: "GET" | "POST", address: string): boolean =>
      covers(rights, neededFor(method, address.split(/[?#]/, 1)[0] as string));
    return { send: (address: string) => may("POST", address), open: (address: string) => may("GET", address) };
  }, [rights]);
}

/** What sends to an address, or leads to where that is done: there for whoever may. */
export const Allowed = ({ send, children }: { send: string; children: ReactNode }) =>
  useMay().send(send) ? children : null;
