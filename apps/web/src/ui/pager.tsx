import { useAddress } from '../app/address.ts';
import { Button } from './button.tsx';
import { Row } from './field.tsx';
import { texts } from './texts.ts';
import { words } from './words.texts.ts';

/** Which part of a list is shown: the address has its page. */
export function usePage(size: number): { readonly offset: number; readonly limit: number } {
  const [{ page }] = useAddress();
  const number = Math.max(1, Math.trunc(Number(page)) || 1);
  return { offset: (number - 1) * size, limit: size };
}

interface PagerProps {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
}

/** The way to the other pages of a list, where there are any. */
export function Pager({ offset, limit, total }: PagerProps) {
  const [, go] = useAddress();
  if (total <= limit && offset === 0) return null;
  const page = offset / limit + 1;
  const turn = (to: number) => go({ page: to > 1 ? String(to) : undefined });
  return (
    <nav aria-label={texts.pages}>
      <Row>
        <Button disabled={page === 1} onClick={() => turn(page - 1)}>
          {texts.previous}
        </Button>
        <span>{texts.fromToOf(Math.min(offset + 1, total), Math.min(offset + limit, total), total)}</span>
        <Button disabled={offset + limit >= total} onClick={() => turn(page + 1)}>
          {words.next}
        </Button>
      </Row>
    </nav>
  );
}
