import Interception
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(5)))
struct MailboxTests {
  private let mailbox = Mailbox()

  private func numbers(_ commands: [Command]) -> [UInt64] {
    commands.compactMap { if case .cancel(let id) = $0 { id.number } else { nil } }
  }

  @Test func `commands come out in the order in which they were put in, once`() {
    for number in 1...3 { #expect(mailbox.post(.cancel(TransferID(number: UInt64(number))))) }
    var commands: [Command] = []
    mailbox.take(into: &commands)
    #expect(numbers(commands) == [1, 2, 3])
    mailbox.take(into: &commands)
    #expect(commands.isEmpty)
  }

  @Test func `the thread doesn't go to sleep over a command`() {
    #expect(mailbox.prepareToSleep())
    mailbox.post(.cancel(TransferID(number: 1)))
    #expect(!mailbox.prepareToSleep())
  }

  @Test func `a waker ends a sleep that began before the command, and one that begins after it`() throws {
    guard let multi = MultiHandle(streams: 1, keptConnections: 1) else { throw CancellationError() }
    mailbox.open(multi.waker)
    #expect(mailbox.prepareToSleep())
    mailbox.post(.cancel(TransferID(number: 1)))
    // Without the wake-up this would take the whole minute, which is the suite's limit.
    multi.wait(milliseconds: 60_000)
    mailbox.release()
  }

  @Test func `a closed mailbox gives back what is left, takes nothing and lets go of who waits`() async {
    mailbox.post(.cancel(TransferID(number: 1)))
    let waiting = Task { [mailbox] in await mailbox.waitUntilClosed() }
    #expect(numbers(mailbox.close()) == [1])
    #expect(!mailbox.post(.cancel(TransferID(number: 2))))
    mailbox.announceClosed()
    await waiting.value
    await mailbox.waitUntilClosed()
  }
}
