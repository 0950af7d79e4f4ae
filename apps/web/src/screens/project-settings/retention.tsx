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
import { texts } from './texts.ts';

const MOST_SECONDS = 30 * 86_400;

const daysText = (days: number | null): string =>
  days === null ? texts.asLongAsOrganization : days === 0 ? texts.forever : texts.days(days);

/** How long audit events are kept here, and values on the machines that read them. */
export function Retention({ project }: { readonly project: Project }) {
  const may = useProjectRights(project.id);
  const { auditLogsRetentionDays, offlineCacheMaxAge } = project;
  return may('workspace', 'edit') ? (
    <Fields project={project} />
  ) : (
    <Facts
      of={[
        [texts.auditEvents, daysText(auditLogsRetentionDays)],
        [texts.offlineCacheOfCommand, durationText(offlineCacheMaxAge) || texts.notAllowed],
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
    toast(texts.settingsAreSaved);
  });
  return (
    <form onSubmit={form.submit}>
      <TextField
        label={texts.offlineCacheOfCommand}
        placeholder={texts.notAllowed}
        hint={texts.forHowLongCommand}
        value={cache}
        error={isGood ? undefined : texts.numberAndUnitAtMost}
        onChange={({ target }) => setCache(target.value)}
      />
      <TextField
        label={texts.auditEventsDays}
        type="number"
        min={0}
        placeholder={daysText(null)}
        hint={texts.howLongEventsOfThisProject}
        value={days}
        onChange={({ target }) => setDays(target.value)}
      />
      {form.error !== undefined && <ErrorNote error={form.error} />}
      <Button kind="primary" type="submit" isBusy={form.isBusy} disabled={!isGood || !(isOtherCache || isOtherLog)}>
        {texts.saveHowLong}
      </Button>
    </form>
  );
}
