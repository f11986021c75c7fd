import { Link } from '@tanstack/react-router';
import { useSession } from '../session/index.ts';

/** The name of a webhook, as a link for those who may see the list of webhooks. */
export function WebhookLink({ name }: { name: string }) {
  const { may } = useSession();
  if (!may('ManageWebhooks')) return name;
  return (
    <Link to="/administration/webhooks" search={{ search: name } as never} className="linked">
      {name}
    </Link>
  );
}
