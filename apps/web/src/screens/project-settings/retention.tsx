import { useState } from 'react';
import { queryClient } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { coffer } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/detail.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { toast } from '../../ui/toast.tsx';
import { durationText, secondsIn } from './duration.ts';
import type { Project } from './project.ts';

const MOST_SECONDS = 30 * 86_400;

const daysText = (days: number | null): string =>
  days === null ? 'as long as the organization says' : days === 0 ? 'forever' : `${days} days`;

/** How long audit events are kept here, and values on the machines that read them. */
export function Retention({ project }: { readonly project: Project }) {
  const may = useProjectRights(project.id);
  const { auditLogsRetentionDays, offlineCacheMaxAge } = project;
  return may('workspace', 'edit') ? (
    <Fields project={project} />
  ) : (
    <Facts
      of={[
        ['Audit events', daysText(auditLogsRetentionDays)],
        ['Offline cache of command lines', durationText(offlineCacheMaxAge) || 'not allowed'],
      ]}
    />
  );
}

function Fields({
  project: { id: projectId, slug, offlineCacheMaxAge, auditLogsRetentionDays },
}: {
  readonly project: Project;
}) {
  const [cache, setCache] = useState(durationText(offlineCacheMaxAge));
  const [days, setDays] = useState(auditLogsRetentionDays === null ? '' : String(auditLogsRetentionDays));
  const seconds = secondsIn(cache);
  const isGood = seconds !== undefined && seconds <= MOST_SECONDS;
  const isOtherCache = isGood && seconds !== offlineCacheMaxAge;
  const isOtherLog = days !== '' && Number(days) !== auditLogsRetentionDays;
  const form = useForm(async () => {
    try {
      if (isOtherCache) await coffer.projects.update.mutate({ projectId, offlineCacheMaxAge: seconds });
      if (isOtherLog)
        await coffer.projectsV1.setAuditLogsRetention.mutate({
          workspaceSlug: slug,
          auditLogsRetentionDays: Number(days),
        });
    } finally {
      await queryClient.invalidateQueries({ queryKey: ['projects'] });
    }
    toast('The settings are saved');
  });
  return (
    <form onSubmit={form.submit}>
      <TextField
        label="Offline cache of command lines"
        placeholder="not allowed"
        hint="For how long command lines may use values that they have read while the server cannot be reached: 30m, 8h, 2d, at most 30d. A copy outlives a revoked access for so long. Empty: nothing is kept."
        value={cache}
        error={isGood ? undefined : 'A number and a unit, at most 30d: 30m, 8h, 2d'}
        onChange={({ target }) => setCache(target.value)}
      />
      <TextField
        label="Audit events, days"
        type="number"
        min={0}
        placeholder={daysText(null)}
        hint="How long events of this project are kept; 0: forever"
        value={days}
        onChange={({ target }) => setDays(target.value)}
      />
      {form.error !== undefined && <ErrorNote error={form.error} />}
      <Button kind="primary" type="submit" isBusy={form.isBusy} disabled={!isGood || !(isOtherCache || isOtherLog)}>
        Save how long
      </Button>
    </form>
  );
}
