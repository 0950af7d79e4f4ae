import { useAddress } from '../../app/address.ts';
import { Button } from '../../ui/button.tsx';
import { Row, TextField } from '../../ui/field.tsx';
import { words } from '../../ui/words.texts.ts';

const PAGE = 50;

/** What is searched for in the address, and from which row on. */
export function useSearched(): { readonly searchTerm: string; readonly offset: number; readonly limit: number } {
  const [{ q = '', from = '0' }] = useAddress();
  const offset = Number(from);
  return { searchTerm: q, offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0, limit: PAGE };
}

export function SearchField({ label }: { readonly label: string }) {
  const [{ q = '' }, go] = useAddress();
  return (
    <TextField
      label={label}
      type="search"
      value={q}
      onChange={(event) => go({ q: event.target.value, from: undefined }, { replace: true })}
    />
  );
}

/** To the pages before and after. */
export function Pager({ shown }: { readonly shown: number }) {
  const [, go] = useAddress();
  const { offset } = useSearched();
  if (offset === 0 && shown < PAGE) return null;
  return (
    <Row>
      <Button disabled={offset === 0} onClick={() => go({ from: String(Math.max(0, offset - PAGE)) })}>
        {words.before}
      </Button>
      <Button disabled={shown < PAGE} onClick={() => go({ from: String(offset + PAGE) })}>
        {words.next}
      </Button>
    </Row>
  );
}
