/** Who has which key: the first item of the input with it. Hashes and numbers are all it holds. */

/** An item by the number of its block and its own in it. */
export interface ItemNumber {
  readonly block: number;
  readonly item: number;
}

/** Numbers of a slot: key (two), block, item from 1 on. */
const width = 4;

export class KeyOwners {
  private slots = new Int32Array(1024 * width);
  private size = 0;

  /** Takes the key for the item; where another one has it, that one. */
  claim(high: number, low: number, { block, item }: ItemNumber): ItemNumber | null {
    if (this.size * 2 * width >= this.slots.length) this.grow();
    const slot = this.slotOf(high, low);
    const owner = this.slots[slot + 3] as number;
    if (owner !== 0) return { block: this.slots[slot + 2] as number, item: owner - 1 };
    this.slots.set([high, low, block, item + 1], slot);
    this.size += 1;
    return null;
  }

  has(high: number, low: number): boolean {
    return this.slots[this.slotOf(high, low) + 3] !== 0;
  }

  /** The slot that has the key, or the free one where it would be. */
  private slotOf(high: number, low: number): number {
    const mask = this.slots.length / width - 1;
    for (let number = high & mask; ; number = (number + 1) & mask) {
      const slot = number * width;
      const isFree = this.slots[slot + 3] === 0;
      if (isFree || (this.slots[slot] === high && this.slots[slot + 1] === low)) return slot;
    }
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new Int32Array(before.length * 2);
    for (let slot = 0; slot < before.length; slot += width) {
      if (before[slot + 3] === 0) continue;
      const at = this.slotOf(before[slot] as number, before[slot + 1] as number);
      this.slots.set(before.subarray(slot, slot + width), at);
    }
  }
}
