/**
 * The look of pictures, as CSS. Assistants have the colours of Okabe and Ito, which people with any
 * kind of colour blindness can tell apart, and a number that says the same without colour. There are
 * no CSS variables: not every viewer of SVG knows them.
 */

type Pair = readonly [border: string, fill: string];

interface Tone {
  readonly light: Pair;
  readonly dark: Pair;
}

const tones: readonly Tone[] = [
  { light: ['#0072b2', '#e3f1fa'], dark: ['#5eb3e8', '#10293a'] },
  { light: ['#b85300', '#fcebdd'], dark: ['#ff9d52', '#3a2210'] },
  { light: ['#00805d', '#ddf3ec'], dark: ['#3fd0a6', '#0c2f25'] },
  { light: ['#a8487f', '#f8e8f1'], dark: ['#e79ac4', '#38192b'] },
  { light: ['#8f7300', '#fbf5d3'], dark: ['#e8d44a', '#322c0a'] },
  { light: ['#2377a8', '#e9f6fd'], dark: ['#9ad6f7', '#152f3c'] },
  { light: ['#946600', '#fdf1d8'], dark: ['#f0b541', '#37290b'] },
  { light: ['#5b5b66', '#eeeef1'], dark: ['#b9b9c6', '#2a2a31'] },
];

/** For a node of no assistant, or of several. */
const noTone: Tone = { light: ['#6b6b76', '#f6f6f8'], dark: ['#9a9aa8', '#212127'] };

/** The ninth assistant has the colour of the first. */
export const toneCount = tones.length;

export function toneOf(group: number | null): Tone {
  return group === null ? noTone : tones[group % toneCount]!;
}

export function toneClass(group: number | null): string {
  return group === null ? 'tone-none' : `tone-${group % toneCount}`;
}

const shape = `.picture{font-family:"Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif}
.picture text{unicode-bidi:plaintext}
.picture .label{font-size:13px;font-weight:500;text-anchor:middle}
.picture .caption{font-size:11px}
.picture .badge{font-size:11px;font-weight:700;text-anchor:middle}
.picture .condition{font-size:11px;text-anchor:middle}
.picture .edge path{fill:none;stroke-width:1.4}
.picture .edge .head{stroke:none}
.picture .edge-anywhere path{stroke-dasharray:5 4}
.picture .edge-anywhere .head{stroke-dasharray:none}
.picture .box{stroke-width:1.6}
.picture .is-start .box{stroke-width:3.2}
.picture .is-global .box,.picture .kind-anywhere .box{stroke-dasharray:5 4}
.picture .mark{fill:none;stroke-width:1.2}
`;

const themes = {
  light: { ground: '#ffffff', text: '#1b1b1f', faint: '#52525b', onBadge: '#ffffff' },
  dark: { ground: '#17171b', text: '#ececf1', faint: '#b4b4c0', onBadge: '#111114' },
} as const;

function coloursOf(theme: 'light' | 'dark'): string {
  const { ground, text, faint, onBadge } = themes[theme];
  const [line] = noTone[theme];
  const rules = [null, ...tones.keys()].flatMap((group) => {
    const [border, fill] = toneOf(group)[theme];
    const name = toneClass(group);
    return [
      `.picture .${name} .box{stroke:${border};fill:${fill}}`,
      `.picture .${name} .mark{stroke:${border}}`,
      `.picture .pill.${name}{fill:${border}}`,
      `.number.${name}{background:${border};color:${onBadge}}`,
    ];
  });
  return `.picture .ground,.picture .behind{fill:${ground}}
.picture .label{fill:${text}}
.picture .caption,.picture .condition{fill:${faint}}
.picture .badge{fill:${onBadge}}
.picture .edge path{stroke:${line}}
.picture .edge .head{fill:${line}}
${rules.join('\n')}
`;
}

/**
 * The style of a picture, alone or in a page, and of the numbers of assistants in the page's text.
 * Dark only on a screen: paper is white.
 */
export const pictureCss = `${shape}${coloursOf('light')}@media screen and (prefers-color-scheme:dark){
${coloursOf('dark')}}
`;
