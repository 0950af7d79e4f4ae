import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, useChange } from '../../app/ask.ts';
import { Button } from '../../ui/button.tsx';
import { Choose } from '../../ui/choose.tsx';
import { Row, inputClass } from '../../ui/field.tsx';
import { toastError } from '../../ui/toast.tsx';
import { texts } from './texts.ts';

interface TagChoiceProps {
  readonly projectId: string;
  readonly label: string;
  /** IDs. */
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  /** Whether a new one can be made. */
  readonly isOpen?: boolean;
}

/** Some of the tags of the project. */
export function TagChoice({ projectId, label, chosen, onChange, isOpen = false }: TagChoiceProps) {
  const { data } = useQuery(ask('tags', 'list', { projectId }));
  const create = useChange('tags', 'create');
  const [name, setName] = useState('');
  const add = () => {
    create
      .mutateAsync({ projectId, slug: name, color: '' })
      .then(({ tag }) => {
        setName('');
        onChange([...chosen, tag.id]);
      })
      .catch(toastError);
  };
  return (
    <>
      <Choose
        label={label}
        options={(data?.workspaceTags ?? []).map(({ id, slug }) => ({ id, label: slug }))}
        chosen={chosen}
        onChange={onChange}
        empty={texts.thisProjectHasNoTags}
      />
      {isOpen && (
        <Row>
          <input
            className={inputClass()}
            aria-label={texts.nameOfNewTag}
            placeholder={texts.newTag}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button disabled={name.trim() === ''} isBusy={create.isPending} onClick={add}>
            {texts.createTag}
          </Button>
        </Row>
      )}
    </>
  );
}
