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
      control.close()
      throw .system("pthread_create", code)
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
      /// The pipe that wakes the thread; nil once the thread has ended.
      var waker: CInt?
      var isStopped = false
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

    /// Closes the pipe, and resumes those that wait for the end.
    func close() {
      let (waker, waiting) = state.withLock { state in
        defer { (state.waker, state.waiting) = (nil, []) }
        return (state.waker, state.waiting)
      }
      if let waker { closeDescriptor(waker) }
      for continuation in waiting { continuation.resume() }
    }

    func ended() async {
      await withCheckedContinuation { continuation in
        let hasEnded = state.withLock { state in
          if state.waker != nil { state.waiting.append(continuation) }
          return state.waker == nil
        }
        if hasEnded { continuation.resume() }
      }
    }
  }
}

/// Closes a descriptor, for types that have a method `close`.
private func closeDescriptor(_ descriptor: CInt) { _ = close(descriptor) }
