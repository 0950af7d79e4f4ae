type Listener = (text: string) => void;

const listeners = new Set<Listener>();

/** Says that somebody has copied or downloaded a text. */
export const taken = (text: string): void => {
  for (const listener of listeners) listener(text);
};

/** Listens for what is copied or downloaded, also for what is selected and copied by hand. Returns what ends it. */
export function onTaken(listener: Listener): () => void {
  const byHand = () => listener(String(getSelection()));
  listeners.add(listener);
  document.addEventListener('copy', byHand);
  return () => {
    listeners.delete(listener);
    document.removeEventListener('copy', byHand);
  };
}
