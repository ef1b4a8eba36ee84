// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/picture.h"

#include <QBuffer>
#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QWidget>

namespace ampprof::gui {
namespace {

QByteArray as_svg(QWidget& widget) {
  QBuffer buffer;
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(widget.size());
  generator.setViewBox(widget.rect());
  generator.setTitle(widget.window()->windowTitle());
  QPainter painter(&generator);
  widget.render(&painter);
  painter.end();
  return buffer.data();
}

QByteArray as_png(QWidget& widget) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  widget.grab().save(&buffer, "PNG");
  return buffer.data();
}

}  // namespace

bool savePicture(QWidget& widget, const QString& path) {
  const QByteArray picture = path.endsWith(".svg", Qt::CaseInsensitive) ? as_svg(widget) : as_png(widget);
  QSaveFile file(path);
  return file.open(QIODevice::WriteOnly) && file.write(picture) == picture.size() && file.commit();
}

void copyPicture(QWidget& widget) {
  auto* picture = new QMimeData;  // owned by the clipboard
  picture->setImageData(widget.grab().toImage());
  picture->setData("image/svg+xml", as_svg(widget));
  QGuiApplication::clipboard()->setMimeData(picture);
}

}  // namespace ampprof::gui
