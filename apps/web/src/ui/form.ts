import { useRef, useState, type FormEvent } from 'react';

export interface Form {
  readonly submit: (event: FormEvent) => void;
  readonly isBusy: boolean;
  /** Why the last attempt failed. */
  readonly error: unknown;
}

/** A form that does one thing at a time: a second click while it works does nothing. */
export function useForm(work: () => Promise<void>): Form {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const running = useRef(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (running.current) return;
    running.current = true;
    setState({ isBusy: true });
    work()
      .then(
        () => setState({ isBusy: false }),
        (error: unknown) => setState({ isBusy: false, error }),
      )
      .finally(() => (running.current = false))
      .catch(() => undefined);
  };
  return { submit, isBusy: state.isBusy, error: state.error };
}
