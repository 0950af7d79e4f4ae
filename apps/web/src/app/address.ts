import { useNavigate, useSearch } from '@tanstack/react-router';

/** The parts of an address behind `?`; what is empty is not in it. */
export type Address = Readonly<Record<string, string | undefined>>;

/** What is selected on a screen, and how to change it: `const [{ tab }, go] = useAddress()`. What `go` does not name stays. */
export function useAddress(): readonly [Address, (change: Address, options?: { replace?: boolean }) => void] {
  const navigate = useNavigate();
  const given: Record<string, unknown> = useSearch({ strict: false });
  const now = Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => [name, String(value)]),
  );
  const go = (change: Address, { replace = false } = {}) => {
    const next = Object.entries({ ...now, ...change }).filter(([, value]) => value);
    navigate({ to: '.', search: Object.fromEntries(next) as never, replace }).catch(() => undefined);
  };
  return [now, go];
}
