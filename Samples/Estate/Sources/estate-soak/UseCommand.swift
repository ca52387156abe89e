import ArgumentParser
import Dispatch
import EstateServer
import Foundation

/// The app's process: several users at once, until standard input ends or the process is killed.
struct UseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Uses the app; the other command starts this one.", shouldDisplay: false)

  /// The number of users at once; the first one's app keeps its files.
  static let users = 4

  @Option var server: String
  @Option var state: String
  @Option var seed: UInt64
  /// The homes that the users add to the favourites begin here.
  @Option var firstFavourite: Int
  /// How many they add, together.
  @Option var favourites: Int

  @MainActor func run() async throws {
    let listings = try Listings.sacramento()
    // What the first app of a process creates once is no leak of the others.
    _ = try await live(listings, isOver: { true })
    let before = ProcessFigures()
    let end = InputEnd()
    var remains = try await live(listings, isOver: { end.isReached })
    // Threads and sockets end a moment after what owned them; an idle thread of a pool ends after 5 s, unless
    // another one hands it work.
    for _ in 0..<150 {
      guard let before, let now = ProcessFigures() else { break }
      remains.threads = max(0, now.threads - before.threads)
      remains.descriptors = max(0, now.descriptors - before.descriptors)
      remains.kibibytes = max(0, now.kibibytes - before.kibibytes)
      if remains.threads == 0, remains.descriptors == 0 { break }
      try await Task.sleep(for: .milliseconds(200))
    }
    SoakConsole.report(.left(remains))
  }

  /// Runs all users until `isOver`, ends their apps, and returns what has remained.
  @MainActor private func live(
    _ listings: Listings, isOver: @escaping @MainActor () -> Bool
  ) async throws -> SoakMessage.Remains {
    let steps = StepNumbers()
    var users: [SoakUser] = []
    for number in 0..<Self.users {
      let end = min(firstFavourite + favourites, listings.homes.count + 1)
      let favourites = stride(from: firstFavourite + number, to: end, by: Self.users)
      users.append(
        try SoakUser(
          number, seed: seed &+ UInt64(number), server: server, state: state, listings: listings,
          favourites: Array(favourites), keepsFiles: number == 0))
    }
    var remains = SoakMessage.Remains()
    await withTaskGroup { group in
      for user in users { group.addTask { await user.use(until: isOver, numbering: steps) } }
    }
    for user in users {
      let left = await user.finish()
      remains.waiting += left.waiting
      if !left.actions.isEmpty { remains.actions = left.actions }
    }
    let apps = users.map { WeakReference($0.app) }
    users = []
    for _ in 0..<50 where apps.contains(where: { $0.object != nil }) {
      try await Task.sleep(for: .milliseconds(100))
    }
    remains.apps = apps.count { $0.object != nil }
    return remains
  }
}

/// A reference that retains nothing.
@MainActor private struct WeakReference {
  weak let object: AnyObject?

  init(_ object: AnyObject) { self.object = object }
}

/// Whether standard input has ended, which is how the process is asked to end.
@MainActor private final class InputEnd {
  private(set) var isReached = false

  init() {
    // Reading blocks, and the pool has few threads.
    Thread.detachNewThread { [weak self] in
      while !FileHandle.standardInput.availableData.isEmpty {}
      Task { @MainActor in self?.isReached = true }
    }
  }
}
