// Proves that ThreadSanitizer sees what it should: `planted-race clean` contends for two mutexes and has no
// race; `planted-race racy` does the same and writes to a variable that no mutex guards.
import Glibc
import Synchronization

final class Account: Sendable {
  let list = Mutex<[Int]>([])
  let sum = Mutex(0)
  // The planted race.
  nonisolated(unsafe) var unguarded = 0
}

let account = Account()
let isRacy = CommandLine.arguments.last == "racy"
await withTaskGroup(of: Void.self) { group in
  for caller in 0..<4 {
    group.addTask {
      for number in 0..<20_000 {
        account.list.withLock { list in
          list.append(number)
          if list.count > 100 { list = [] }
        }
        account.sum.withLock { $0 += caller }
        if isRacy { account.unguarded += 1 }
      }
    }
  }
}
guard account.sum.withLock({ $0 }) == 120_000 else { exit(70) }
