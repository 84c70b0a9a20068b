import { Button } from '@mantine/core';
import { useLocation, useNavigate } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { IconArrowLeft } from '../../ui/icons.ts';

/** To where the person was; to the wallet for who came from outside. */
export function BackButton() {
  const navigate = useNavigate();
  const { key } = useLocation();
  return (
    <Button
      variant="default"
      leftSection={<IconArrowLeft size={16} aria-hidden />}
      // The first entry of a visit has this key: before it is another site.
      onClick={() => void (key === 'default' ? navigate('/wallet') : navigate(-1))}
    >
      {t('Back')}
    </Button>
  );
}
