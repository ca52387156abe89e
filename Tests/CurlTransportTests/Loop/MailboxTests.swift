import Interception
import Synchronization
import Testing

@testable import CurlTransport

@Suite("A mailbox", .timeLimit(.minutes(5)))
struct MailboxTests {
  private let starts = Counter()
  private let mailbox: Mailbox

  private final class Counter: Sendable {
    let count = Mutex(0)
  }

  init() {
    mailbox = Mailbox { [starts] _ in starts.count.withLock { $0 += 1 } }
  }

  private var startCount: Int { starts.count.withLock { $0 } }

  private func numbers(_ commands: [Command]) -> [UInt64] {
    commands.compactMap { if case .cancel(let id) = $0 { id.number } else { nil } }
  }

  private func cancel(_ number: UInt64) -> Command { .cancel(TransferID(number: number)) }

  /// Starts the reader by a command that needs one, and takes that command.
  private func start() async {
    let census = await withCheckedContinuation { continuation in
      mailbox.post(.census(continuation))
      var commands: [Command] = []
      mailbox.take(into: &commands)
      for command in commands { command.refuse { .resources(origin: $0, "a thread") } }
    }
    #expect(census.isEmpty)
  }

  @Test("Commands come out once, in the order in which they were posted")
  func order() async {
    await start()
    for number in 1...3 { #expect(mailbox.post(cancel(UInt64(number)))) }
    var commands: [Command] = []
    mailbox.take(into: &commands)
    #expect(numbers(commands) == [1, 2, 3])
    mailbox.take(into: &commands)
    #expect(commands.isEmpty)
  }

  @Test("The first command that needs a thread starts it, and the next one after a suspension starts another")
  func startsReader() async {
    #expect(mailbox.post(cancel(1)))
    #expect(startCount == 0)
    await start()
    await start()
    #expect(startCount == 1)
    #expect(mailbox.post(cancel(2)))
    #expect(numbers(mailbox.suspend()) == [2])
    await start()
    #expect(startCount == 2)
  }

  @Test("The thread does not block while there is a command")
  func noSleep() async {
    await start()
    #expect(mailbox.prepareToSleep())
    mailbox.post(cancel(1))
    #expect(!mailbox.prepareToSleep())
  }

  @Test("A command ends a wait that began before it was posted")
  func wakes() async throws {
    await start()
    guard let multi = MultiHandle(streams: 1, keptConnections: 1) else { throw CancellationError() }
    mailbox.setWaker(multi.waker)
    #expect(mailbox.prepareToSleep())
    mailbox.post(cancel(1))
    // Without the wake-up this would take until the suite's time limit.
    multi.wait(milliseconds: 3_600_000)
    mailbox.setWaker(nil)
  }

  @Test("A thread that ends returns what is left, and later commands are refused")
  func ends() async {
    await start()
    mailbox.post(cancel(1))
    let waiting = Task { [mailbox] in await mailbox.waitUntilEnded() }
    #expect(numbers(mailbox.end()) == [1])
    #expect(!mailbox.post(cancel(2)))
    await waiting.value
    await mailbox.waitUntilEnded()
  }

  @Test("A mailbox that was closed without a thread starts none")
  func closedEarly() async {
    mailbox.close(grace: .seconds(1))
    await mailbox.waitUntilEnded()
    #expect(!mailbox.post(cancel(1)))
    #expect(startCount == 0)
  }
}
