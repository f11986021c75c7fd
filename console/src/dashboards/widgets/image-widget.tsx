import { useState } from 'react';
import { strings } from '../../strings/index.ts';
import { isImageUrl } from '../image-url.ts';
import type { Settings } from '../widget.ts';
import { Message, Unconfigured } from './widget-message.tsx';
import classes from './widgets.module.css';

const words = strings.dashboards.widget;

/** A picture, as large as the widget allows. It is requested without a referrer. */
export function ImageWidget({ settings: { url, alternativeText } }: { settings: Settings }) {
  const [failedUrl, setFailedUrl] = useState('');
  if (url === '') return <Unconfigured />;
  if (!isImageUrl(url)) return <Message isFailure>{words.imageUrl}</Message>;
  if (failedUrl === url) return <Message isFailure>{words.imageFailed}</Message>;
  return (
    <img
      className={classes.image}
      src={url}
      alt={alternativeText}
      loading="lazy"
      referrerPolicy="no-referrer"
      onError={() => setFailedUrl(url)}
    />
  );
}
