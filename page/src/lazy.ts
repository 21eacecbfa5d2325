// What stands in view is filled, what is far away is emptied; and the work for it, a little at a time.

/** The newest wish first, a few at a time. What was asked for is not broken off: the service would have to start anew. */
export class Work {
  running = 0;
  waiting: (() => Promise<void>)[] = [];
  atOnce: number;
  failed: (error: any) => void;

  constructor(atOnce: number, failed: (error: any) => void) {
    this.atOnce = atOnce;
    this.failed = failed;
  }

  add(job: () => Promise<void>): void {
    this.waiting.push(job);
    this.next();
  }

  clear(): void {
    this.waiting.length = 0;
  }

  async next(): Promise<void> {
    if (this.running >= this.atOnce || !this.waiting.length) return;
    this.running += 1;
    await this.waiting.pop()().catch((error) => error.name !== "AbortError" && this.failed(error));
    this.running -= 1;
    this.next();
  }
}

/** Watch parts of a scroller: `fill` those that come near, `empty` those that go. A quick passage fills nothing. */
export class Lazy {
  near: Set<HTMLElement>;
  waiting: Map<Element, ReturnType<typeof setTimeout>>;
  observer: IntersectionObserver;

  constructor(root: Element, fill: (part: any) => void, empty: (part: any) => void, margin = "75% 0px") {
    this.near = new Set();
    this.waiting = new Map();
    this.observer = new IntersectionObserver((entries) => {
      for (const { target: part, isIntersecting } of entries) {
        const target = part as HTMLElement;
        clearTimeout(this.waiting.get(target));
        this.waiting.delete(target);
        if (isIntersecting && !this.near.has(target)) {
          this.waiting.set(target, setTimeout(() => {
            this.near.add(target);
            fill(target);
          }, 60));
        } else if (!isIntersecting && this.near.delete(target)) {
          empty(target);
        }
      }
    }, { root, rootMargin: margin });
  }

  watch(element) {
    this.observer.observe(element);
  }

  stop() {
    this.observer.disconnect();
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.near.clear();
  }
}
