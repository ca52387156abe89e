import Interception
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Serves the page on 127.0.0.1, on a thread of its own, over sockets that never block.
///
/// The thread alone has the connections. The app's threads only write a byte to a pipe when something changes
/// while a page is open.
final class PageServer: Sendable {
  let access: PageAccess
  private let control: Control

  /// Opens the port and starts the thread.
  ///
  /// - Parameters:
  ///   - port: 0 for any free one.
  ///   - token: The part of the address that only the page's user knows; nil for a new one.
  init(
    port: UInt16, token: String?, answers: PageAnswers, limits: PageConnection.Limits = .init()
  ) throws(InspectorError) {
    let (listener, port) = try LoopbackSocket.listen(on: port)
    access = token.map { PageAccess(token: $0, port: port) } ?? PageAccess(port: port)
    let pipe: (reading: CInt, writing: CInt)
    do throws(InspectorError) {
      pipe = try LoopbackSocket.pipe()
    } catch {
      close(listener)
      throw error
    }
    control = Control(pipe.writing)
    let loop = PageLoop(
      listener: listener, waking: pipe.reading, control: control, access: access, answers: answers,
      limits: limits)
    let code = loop.start()
    guard code == 0 else {
      close(listener)
      close(pipe.reading)
      control.closeWaker()
      throw InspectorError(.system("pthread_create", code))
    }
  }

  deinit { control.stop() }

  /// Ends the thread, which closes all connections and the port.
  func stop() { control.stop() }

  /// Returns when the thread has closed everything.
  func stopped() async {
    control.stop()
    await control.ended()
  }

  /// What the thread and its server share.
  final class Control: Sendable {
    private struct State {
      /// The pipe that wakes the thread; nil once the thread no longer reads it.
      var waker: CInt?
      var isStopped = false
      var hasEnded = false
      var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>
    /// Whether the thread has yet to see a change.
    private let isWoken = Atomic(false)

    init(_ waker: CInt) { state = Mutex(State(waker: waker)) }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    func stop() {
      state.withLock { $0.isStopped = true }
      isWoken.store(false, ordering: .releasing)
      wake()
    }

    /// Wakes the thread, if it isn't woken already.
    func wake() {
      guard !isWoken.exchange(true, ordering: .acquiringAndReleasing) else { return }
      state.withLock { state in
        guard let waker = state.waker else { return }
        var byte: UInt8 = 1
        // A full pipe wakes the thread, too.
        _ = write(waker, &byte, 1)
      }
    }

    /// Notes that the thread is awake.
    func noteAwake() { isWoken.store(false, ordering: .releasing) }

    /// Closes the pipe; nothing is written to it from now on.
    func closeWaker() {
      let waker = state.withLock { state in
        defer { state.waker = nil }
        return state.waker
      }
      if let waker { close(waker) }
    }

    /// Resumes those that wait for the end of the thread, which has closed everything.
    func noteEnd() {
      let waiting = state.withLock { state in
        defer { state.waiting = [] }
        state.hasEnded = true
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }

    func ended() async {
      await withCheckedContinuation { continuation in
        let hasEnded = state.withLock { state in
          if !state.hasEnded { state.waiting.append(continuation) }
          return state.hasEnded
        }
        if hasEnded { continuation.resume() }
      }
    }
  }
}
