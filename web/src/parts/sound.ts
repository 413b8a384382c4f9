// Short tones, made here: no sound files to load.
let audio: AudioContext | null = null;

const tones = { dice: [[220, 0.05], [180, 0.05], [240, 0.06]], hit: [[130, 0.16]], turn: [[523, 0.12], [659, 0.18]] } as const;

export function chime(what: keyof typeof tones): void {
  audio ??= new AudioContext();
  let at = audio.currentTime;
  for (const [pitch, length] of tones[what]) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = what === 'turn' ? 'sine' : 'triangle';
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length;
  }
}
