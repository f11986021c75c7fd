import type { JSX, SVGProps } from 'react';

export interface IconProps extends SVGProps<SVGSVGElement> {
  /** Width and height in pixels. */
  readonly size?: number;
}

/**
 * The icon with these outlines, in a square of 24 units, drawn in the colour of the text. Screen
 * readers skip it: it stands beside a text or in a control with a label.
 */
export function icon(outlines: string): (props: IconProps) => JSX.Element {
  return ({ size = 24, ...props }) => (
    <svg
      aria-hidden="true"
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...props}
    >
      <path d={outlines} />
    </svg>
  );
}
