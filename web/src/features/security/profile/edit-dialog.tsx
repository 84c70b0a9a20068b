import { updateProfile } from '@cambist/contract/profile.ts';
import { Button, Radio, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { call } from '../../../lib/api-client.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { toFirstError } from '../../../ui/first-error.ts';
import { noticeSuccess } from '../../../ui/notices.ts';
import classes from '../parts.module.css';
import type { Profile } from '../queries.ts';
import { useAct } from '../use-act.ts';

const NAME_LENGTH = 120;
const ADDRESS_LENGTH = 300;
const EARLIEST = '1900-01-01';

export const GENDERS = { '': '', Male: msg('Male'), Female: msg('Female') } as const;

interface EditDialogProps {
  readonly profile: Profile;
  readonly onClose: () => void;
}

export function EditDialog({ profile: { name, gender, date_of_birth, address }, onClose }: EditDialogProps) {
  const form = useForm({ initialValues: { name, gender, date_of_birth, address } });
  const save = useAct(
    () => call(updateProfile, { body: form.getValues() }),
    () => {
      noticeSuccess(t('Success'), t('Saved'));
      onClose();
    },
  );
  return (
    <Dialog onClose={onClose} title={t('Edit personal information')} size="sm">
      <form className={classes.form} noValidate onSubmit={form.onSubmit(() => save.mutate(undefined), toFirstError)}>
        <TextInput
          label={t('Legal Name')}
          autoComplete="name"
          maxLength={NAME_LENGTH}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Radio.Group label={t('Gender')} {...form.getInputProps('gender')}>
          <Radio mt="xs" value="Male" label={t(GENDERS.Male)} />
          <Radio mt="xs" value="Female" label={t(GENDERS.Female)} />
        </Radio.Group>
        <TextInput
          label={t('Date of Birth')}
          type="date"
          autoComplete="bday"
          min={EARLIEST}
          max={new Date().toISOString().slice(0, EARLIEST.length)}
          {...form.getInputProps('date_of_birth')}
        />
        <Textarea
          label={t('Address')}
          autoComplete="street-address"
          autosize
          minRows={2}
          maxLength={ADDRESS_LENGTH}
          {...form.getInputProps('address')}
        />
        <Button type="submit" loading={save.isPending}>
          {t('Save')}
        </Button>
      </form>
    </Dialog>
  );
}
