import { useState } from 'react';
import { queryClient } from '../../app/ask.ts';
import { coffer } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { explain } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Environments } from './environments.tsx';
import type { Overview } from './pages.ts';
import type { Place } from './place.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface NewFolderProps {
  readonly place: Place;
  readonly overview: Overview;
  readonly onClose: () => void;
}

export function NewFolder({ place, overview, onClose }: NewFolderProps) {
  const { folders } = overview;
  const environments = overview.environments.filter(({ may }) => may.createFolders);
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(environments.map(({ slug }) => slug)));
  const form = useForm(async () => {
    const { projectId, path } = place;
    const there = folders.find((one) => one.name === name)?.environments ?? [];
    try {
      for (const environment of chosen)
        if (!there.includes(environment)) await coffer.folders.create.mutate({ projectId, environment, path, name });
    } finally {
      await queryClient.invalidateQueries({ queryKey: ['secrets'] });
    }
    onClose();
  });
  return (
    <Dialog title={texts.newFolder} onClose={onClose}>
      <form onSubmit={form.submit}>
        <TextField
          label={words.name}
          isMono
          required
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={form.error ? explain(form.error) : undefined}
        />
        <Environments environments={environments} chosen={chosen} onChange={setChosen} />
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={form.isBusy} disabled={chosen.size === 0}>
            {words.create}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
