// What stands in view is filled, what is far away is emptied.

/** Watch parts of a scroller: `fill` those that come near, `empty` those that go. A quick passage fills nothing. */
export class Lazy {
  near: Set<HTMLElement>;
  waiting: Map<Element, ReturnType<typeof setTimeout>>;
  observer: IntersectionObserver;

  constructor(root: Element, fill: (part: any) => void, empty: (part: any) => void) {
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
    }, { root, rootMargin: "75% 0px" });
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
