import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ask, useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Row } from '../../ui/field.tsx';
import { Queried } from '../../ui/query.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { Table } from '../../ui/table.tsx';

type Tag = Outputs['tags']['list']['workspaceTags'][number];
const AFFECTED = ['tags', 'secrets'] as const;

/** The tags of secrets. Rules may name them. */
export function Tags({ projectId }: { readonly projectId: string }) {
  const may = useProjectRights(projectId);
  const tags = useQuery(ask('tags', 'list', { projectId }));
  const remove = useChange('tags', 'delete', AFFECTED);
  const [opened, setOpened] = useState<Tag | 'new'>();
  const close = () => setOpened(undefined);
  const shared = { area: 'tags', affects: AFFECTED, onCancel: close, onDone: close } as const;
  return (
    <>
      <Queried query={tags}>
        {({ workspaceTags }) => (
          <Table
            label="Tags"
            rows={workspaceTags}
            keyOf={({ id }) => id}
            empty="This project has no tags."
            columns={[
              { title: 'Tag', cell: ({ slug }) => <code>{slug}</code> },
              { title: 'Color', cell: ({ color }) => color || '–' },
              {
                title: 'Actions',
                cell: (tag) => (
                  <Row>
                    {may('tags', 'edit') && (
                      <Button aria-label={`Rename the tag ${tag.slug}`} onClick={() => setOpened(tag)}>
                        Rename
                      </Button>
                    )}
                    {may('tags', 'delete') && (
                      <Act
                        label="Delete"
                        kind="danger"
                        run={() => remove.mutateAsync({ projectId, tagId: tag.id })}
                        done={`The tag ${tag.slug} is deleted.`}
                        ask={{
                          title: `Delete the tag ${tag.slug}?`,
                          children: <p>It is removed from all secrets. Rules that name it no longer match them.</p>,
                        }}
                      />
                    )}
                  </Row>
                ),
              },
            ]}
          />
        )}
      </Queried>
      {may('tags', 'create') && (
        <Button onClick={() => setOpened('new')}>
          <Plus size={16} aria-hidden /> New tag
        </Button>
      )}
      {opened === 'new' && (
        <Dialog title="New tag" onClose={close}>
          <OperationForm {...shared} procedure="create" given={{ projectId }} submit="Create" />
        </Dialog>
      )}
      {opened && opened !== 'new' && (
        <Dialog title={`Change the tag ${opened.slug}`} onClose={close}>
          <OperationForm
            {...shared}
            procedure="update"
            given={{ projectId, tagId: opened.id }}
            update={{ current: opened }}
            submit="Save"
          />
        </Dialog>
      )}
    </>
  );
}
