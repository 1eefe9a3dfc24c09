import { useCallback } from "react";
import { useNavigate } from "react-router";
import { hasFrame } from "~/domain/shell/pages";

/** Goes to a page of the menu, whatever sort of page it is. */
export function useGo(): (to: string) => void {
  const navigate = useNavigate();
  return useCallback((to) => (hasFrame(to) ? void navigate(to) : window.location.assign(to)), [navigate]);
}
