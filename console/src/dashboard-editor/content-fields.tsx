import { Button, FileButton, Group, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isImageUrl, settingsOf } from '../dashboards/index.ts';
import { strings } from '../strings/index.ts';
import { BoundedNumber } from './bounded-number.tsx';
import type { FieldProps } from './record-fields.tsx';

const words = strings.dashboards.edit;

export function ViewFields({ widget, set }: FieldProps) {
  const fields = [
    { key: 'latitude', label: words.latitude, min: -90, max: 90 },
    { key: 'longitude', label: words.longitude, min: -180, max: 180 },
    { key: 'zoom', label: words.zoom, min: 0, max: 22 },
  ] as const;
  return (
    <>
      <Text size="xs" c="dimmed">
        {words.mapHint}
      </Text>
      <SimpleGrid cols={2} spacing="xs">
        {fields.map(({ key, label, min, max }) => (
          <BoundedNumber
            key={key}
            label={label}
            placeholder={words.automatic}
            min={min}
            max={max}
            isOptional
            value={typeof widget[key] === 'number' ? widget[key] : undefined}
            onChange={(value) => set({ [key]: value })}
          />
        ))}
      </SimpleGrid>
    </>
  );
}

export function TextField({ widget, set }: FieldProps) {
  return (
    <Textarea
      label={words.text}
      autosize
      minRows={3}
      maxLength={10_000}
      value={settingsOf(widget).text}
      onChange={({ currentTarget }) => set({ text: currentTarget.value })}
    />
  );
}

/** A board may hold several pictures within its 256 KiB. */
const MAX_FILE_BYTES = 60_000;
const PICTURES = 'image/png,image/jpeg,image/gif,image/webp,image/svg+xml';

/** The address of a picture, or a small picture itself. */
export function ImageFields({ widget, set }: FieldProps) {
  const { url, alternativeText } = settingsOf(widget);
  const isData = url.startsWith('data:');
  const [typed, setTyped] = useState<string | null>(null);
  const [fileError, setFileError] = useState<string | null>(null);
  const shown = typed ?? (isData ? '' : url);
  const change = (next: string) => {
    const isGood = next === '' || isImageUrl(next);
    setTyped(isGood ? null : next);
    if (isGood) set({ url: next || undefined });
  };
  const take = async (file: File | null) => {
    if (!file) return;
    if (file.size > MAX_FILE_BYTES) return setFileError(words.imageTooLarge);
    setFileError(null);
    setTyped(null);
    set({ url: await dataUrlOf(file) });
  };
  return (
    <>
      <TextInput
        label={words.imageUrl}
        placeholder={isData ? words.imageStored : 'https://'}
        value={shown}
        error={typed === null ? null : words.imageUrlError}
        onChange={({ currentTarget }) => change(currentTarget.value.trim())}
      />
      <Group gap="xs">
        <FileButton accept={PICTURES} onChange={(file) => void take(file)}>
          {(button) => (
            <Button size="xs" variant="default" {...button}>
              {words.imageFile}
            </Button>
          )}
        </FileButton>
        {fileError ? (
          <Text size="xs" c="red" role="alert">
            {fileError}
          </Text>
        ) : null}
      </Group>
      <TextInput
        label={words.alternativeText}
        maxLength={500}
        value={alternativeText}
        onChange={({ currentTarget }) => set({ alternativeText: currentTarget.value })}
      />
    </>
  );
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error('the file could not be read'));
    reader.readAsDataURL(file);
  });
}
