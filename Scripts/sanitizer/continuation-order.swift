// Demonstrates a false report of ThreadSanitizer with Swift 6.3's runtime, to compare with reports of
// Scripts/soak --sanitize thread. A value is created by one thread, passed through a continuation and read by
// the task that waited, which is no race. ThreadSanitizer reports one about once in 100,000 times, when the
// continuation is resumed while its task is being suspended. Build it with -sanitize=thread, and preload
// mutex-order.c.
import Glibc
import Synchronization

final class Gift: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }
}

final class Counter: Sendable {
  let waiting = Mutex<[CheckedContinuation<Gift, Never>]>([])
  let isOver = Atomic(false)
}

// Not a variable of the top level, which would belong to the main actor.
enum Shared {
  static let counter = Counter()
}

nonisolated func answer(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  var number = 0
  while !Shared.counter.isOver.load(ordering: .acquiring) {
    let ready = Shared.counter.waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    if ready.isEmpty { sched_yield() }
    for continuation in ready {
      number += 1
      continuation.resume(returning: Gift(number))
    }
  }
  return nil
}

var thread = pthread_t()
pthread_create(&thread, nil, answer, nil)
var sum = 0
await withTaskGroup(of: Int.self) { group in
  for _ in 0..<3 {
    group.addTask {
      var sum = 0
      for _ in 0..<20_000 {
        sum += await withCheckedContinuation { gift in Shared.counter.waiting.withLock { $0.append(gift) } }.number & 1
      }
      return sum
    }
  }
  for await part in group { sum += part }
}
Shared.counter.isOver.store(true, ordering: .releasing)
print(sum)
