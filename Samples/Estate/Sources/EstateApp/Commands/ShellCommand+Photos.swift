import APIManagers
import EstateNetwork
import HTTPTypes
import Interception
import Navigation
import Photos
import ResourceLoading
import Screens

extension ShellCommand {
  /// The command that shows pictures, which a terminal can't show in a list.
  static let photos = [
    ShellCommand("photos", taking: "[PAGE]", "photos of the homes on the screen, in shades of text") {
      shell, page in
      guard let page else { return await shell.showPhotos(ofPage: 1) }
      guard let page = Int(page) else { return shell.say("  ! \(page) is not a number") }
      await shell.showPhotos(ofPage: page)
    }
  ]
}

extension EstateShell {
  private static let photoSize = PixelSize(width: 36, height: 24)
  private static let pageLength = 4

  /// Prints the photos of a page of the list on the screen, and prefetches those of the next page.
  func showPhotos(ofPage page: Int) async {
    let screen = navigator.state.top.flatMap { navigator.screen($0.id) } as? any ContentScreen
    let homes = (screen?.content.blocks ?? []).flatMap { block in
      if case .cards(let cards, _, _, _) = block { cards.compactMap { Int($0.id) } } else { [Int]() }
    }
    let pages = stride(from: 0, to: homes.count, by: Self.pageLength).map { start in
      Array(homes[start..<min(start + Self.pageLength, homes.count)])
    }
    guard pages.indices.contains(page - 1) else {
      return say("  there is no such page of homes on the screen")
    }
    let next = page < pages.count ? pages[page] : []
    let others = homes.filter { !next.contains($0) && !pages[page - 1].contains($0) }
    photos.cancelPrefetches(of: others.map(Self.photo(of:)), at: Self.photoSize)
    photos.prefetch(next.map(Self.photo(of:)), at: Self.photoSize)
    await show(pages[page - 1])
    let done = photos.statistics
    say(
      "  \(done.transfers) transferred, \(done.decodes) decoded, \(done.hits) in memory, "
        + "\(done.decodedBytes) bytes")
  }

  private func show(_ homes: [Int]) async {
    let loads = homes.map { home in
      (home, Task { [photos] in try await photos.load(Self.photo(of: home), at: Self.photoSize) })
    }
    for (home, load) in loads {
      do {
        let photo = try await load.value
        say("  photo of #\(home)")
        say(photo.lines)
      } catch let error as ResourceError {
        // A logout ends all loads.
        if error.isCancellation { return }
        if case .status(.notFound) = error.kind {
          say("  #\(home) has no photo")
          continue
        }
        say("  ! #\(home): \(error)")
        // One that has expired is better than none.
        let old = photos.placeholder(for: Self.photo(of: home), at: Self.photoSize)
        say(old?.lines ?? [])
      } catch {
        say("  ! #\(home): \(error)")
      }
    }
  }

  private nonisolated static func photo(of home: Int) -> Request {
    var request = Request(authority: Service.estateHost, path: "/v1/photos/\(home)")
    request.context.cacheRule = .stated()
    return request
  }
}
