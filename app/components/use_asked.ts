import { useLocation, useNavigation } from "react-router";

/**
 * The query of this page as it was asked for last, to be read when something is done: what one does next adds to what one
 * did before, also while that is still on its way and the page on screen, with all that was rendered in it, is the one
 * before.
 */
export function useAsked(): () => URLSearchParams {
  const { location: next } = useNavigation();
  const shown = useLocation();
  // The address changes before the page that it names is shown.
  return () => {
    const asked = [next, window.location].find((one) => one?.pathname === shown.pathname);
    return new URLSearchParams((asked ?? shown).search);
  };
}
