public import Mediation
public import ResourceLoading

/// Releases the photos when memory is low, and at logout.
public struct PhotosModule: BusinessModule {
  /// The module's name.
  public let name = "Photos"
  private let photos: ResourceLoader<PhotoDecoder>

  /// Creates the module.
  public init(photos: ResourceLoader<PhotoDecoder>) { self.photos = photos }

  /// Declares what the events of the app's life do.
  public func declare(into table: inout RouteTable) {
    table.on(.memoryWarning) { [photos] _, _ in photos.removeValues() }
    table.on(.logout) { [photos] _, _ in photos.removeAll() }
  }
}
