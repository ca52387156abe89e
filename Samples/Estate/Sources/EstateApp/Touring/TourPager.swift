import Foundation

/// Waits between the steps of the tour until the reader wants the next one.
package struct TourPager: Sendable {
  private let wait: @Sendable () async -> Bool

  /// Creates a pager.
  ///
  /// - Parameter wait: Waits after a step, and returns whether the tour continues.
  package init(_ wait: @escaping @Sendable () async -> Bool) { self.wait = wait }

  package static let none = TourPager { true }

  /// Waits for Enter if both input and output are a terminal, and otherwise for nothing; `q` ends the tour,
  /// and so does the end of input.
  package static var terminal: TourPager {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return .none }
    return TourPager {
      print("\n  Enter: next step, q: end ", terminator: "")
      fflush(nil)
      let line = await withCheckedContinuation { (read: CheckedContinuation<String?, Never>) in
        // A thread of its own, because the pages of the app are served meanwhile.
        Thread.detachNewThread { read.resume(returning: readLine()) }
      }
      return line.map { $0.trimmingCharacters(in: .whitespaces).lowercased() != "q" } ?? false
    }
  }

  func goesOn() async -> Bool { await wait() }
}
