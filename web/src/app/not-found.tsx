import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useTitle } from '../lib/use-title.ts';
import { Empty } from '../ui/states.tsx';

export function NotFound() {
  useTitle('Not found');
  return (
    <Empty
      title="There is nothing at this address. It may have moved, or the link may be misspelt."
      action={
        <Button component={Link} to="/markets" variant="default">
          Go to markets
        </Button>
      }
    />
  );
}
