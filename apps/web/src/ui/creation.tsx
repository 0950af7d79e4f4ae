import type { UseQueryResult } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAddress } from '../app/address.ts';
import { Button } from './button.tsx';
import { Types, type Type } from './detail.tsx';
import { Dialog } from './dialog.tsx';
import { Note } from './note.tsx';
import { Queried } from './query.tsx';
import { texts } from './texts.ts';
import { texts as typesTexts } from './types.texts.ts';

/** In the address, before a type is chosen. */
const CHOOSING = 'choose';

interface NewButtonProps {
  /** What is chosen already. */
  readonly type?: string;
  readonly children: ReactNode;
}

/** The button that begins a creation. */
export function NewButton({ type = CHOOSING, children }: NewButtonProps) {
  const [, go] = useAddress();
  return (
    <Button kind="primary" onClick={() => go({ new: type })}>
      <Plus size={16} aria-hidden /> {children}
    </Button>
  );
}

interface CreationProps<Option> {
  /** `connection`: its title is `New connection`. */
  readonly what: string;
  readonly types: UseQueryResult<readonly Option[], unknown> | readonly Option[];
  readonly typeOf: (option: Option) => Type;
  /** The form for a type. */
  readonly children: (option: Option, close: () => void) => ReactNode;
}

/** Creating something of a family: first its type, then what that takes. The address holds how far it is (`?new=github`). */
export function Creation<Option>({ what, types, typeOf, children }: CreationProps<Option>) {
  const [{ new: chosen }, go] = useAddress();
  if (chosen === undefined) return null;
  const close = () => go({ new: undefined });
  const there = 'data' in types ? types.data : types;
  const option = there?.find((one) => typeOf(one).id === chosen);
  const show = (all: readonly Option[]) => {
    const { name, missingSetting } = option ? typeOf(option) : {};
    if (name && missingSetting) return <Note kind="warn">{typesTexts.isNotSetUp(name, missingSetting)}</Note>;
    if (option) return children(option, close);
    if (chosen !== CHOOSING) return <Note kind="bad">{texts.thereIsNoType(chosen)}</Note>;
    return <Types of={all.map(typeOf)} onChoose={(id) => go({ new: id })} />;
  };
  return (
    <Dialog
      look="wide"
      title={option ? texts.newOfType(what, typeOf(option).name) : texts.newOne(what)}
      onClose={close}
    >
      {'data' in types ? <Queried query={types}>{show}</Queried> : show(types)}
    </Dialog>
  );
}
