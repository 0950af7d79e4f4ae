import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { coffer } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { NotAllowed } from '../../ui/note.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Project } from './project.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** A project is deleted after its name, and not while it is protected. */
export function DeleteProject({ project }: { readonly project: Project }) {
  const may = useProjectRights(project.id);
  const [isOpen, setOpen] = useState(false);
  if (!may('workspace', 'delete'))
    return <NotAllowed what={texts.deleteTheProject} action="delete" subject="workspace" />;
  if (project.hasDeleteProtection) return <p>{texts.projectIsProtected}</p>;
  return (
    <>
      <p>{texts.withAllSecretsCertificates}</p>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {texts.openDeletion}
      </Button>
      {isOpen && <Confirmation project={project} onClose={() => setOpen(false)} />}
    </>
  );
}

function Confirmation({ project: { id, name }, onClose }: { readonly project: Project; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const form = useForm(async () => {
    await coffer.projects.delete.mutate({ projectId: id });
    await navigate({ to: '/' });
    toast(texts.isDeleted(name));
    await queryClient.invalidateQueries({ queryKey: ['projects'] });
  });
  return (
    <Dialog title={texts.deleteProject(name)} onClose={onClose}>
      <form onSubmit={form.submit}>
        <TextField
          label={texts.typeItsName(name)}
          autoFocus
          required
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        {form.error !== undefined && <ErrorNote error={form.error} />}
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="danger" type="submit" isBusy={form.isBusy} disabled={typed !== name}>
            {texts.deleteForGood}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
