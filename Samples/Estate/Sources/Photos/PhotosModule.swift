package import Mediation
package import ResourceLoading

/// Releases the photos when memory is low, and at logout.
package struct PhotosModule: BusinessModule {
  package let name = "Photos"
  private let photos: ResourceLoader<PhotoDecoder>

  package init(photos: ResourceLoader<PhotoDecoder>) { self.photos = photos }

  /// Declares what the events of the app's life do.
  package func declare(into table: inout RouteTable) {
    table.on(.memoryWarning) { [photos] _, _ in photos.removeValues() }
    table.on(.logout) { [photos] _, _ in photos.removeAll() }
  }
}
